-- The schema of the first release. An applied migration never changes.
-- Times are milliseconds since 1970 in UTC. Numbers called revision are of their user's one count.

-- One row per uid. It stays when everything of the user is forgotten, so that no number is given twice.
CREATE TABLE users (
  uid INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,            -- the newest number given
  changed_at INTEGER NOT NULL,          -- when it was given; the next one is never earlier
  saved_at INTEGER,                     -- when a state was last saved
  used_bytes INTEGER NOT NULL,          -- of the states and ids kept
  forgotten INTEGER NOT NULL            -- the number of the last erasure: what was before it may be unknown
) STRICT;

CREATE TABLE apps (
  app INTEGER PRIMARY KEY,
  uid INTEGER NOT NULL REFERENCES users,
  name TEXT NOT NULL,
  scenes INTEGER NOT NULL,              -- how many there are
  kinds INTEGER NOT NULL,               -- how many there are, undeclared ones too
  routes_revision INTEGER NOT NULL,     -- the number of the last change of the route table; 0: never
  routes_at INTEGER,                    -- when that was
  history INTEGER,                      -- from the route table: revisions kept per scene
  maximum_age INTEGER,                  -- from the route table, in seconds
  routes BLOB,                          -- the route table; NULL: none
  UNIQUE (uid, name)
) STRICT;

-- A save of an existing scene does not write here. AUTOINCREMENT: a reader may remember a slot for a
-- moment longer than it is the scene's, and must not find another scene there.
CREATE TABLE scenes (
  scene INTEGER PRIMARY KEY AUTOINCREMENT,
  app INTEGER NOT NULL REFERENCES apps,
  name TEXT NOT NULL,
  closed INTEGER NOT NULL,              -- 0 or 1
  switched INTEGER NOT NULL,            -- the number of the last close or reopening; 0: never. It orders the closed ones
  switched_at INTEGER,                  -- when that was
  launches INTEGER NOT NULL,            -- since the last confirm
  launched_at INTEGER,                  -- when the last launch was
  launched1 INTEGER,                    -- the revision that the last launch was served, 0: the empty state
  launched2 INTEGER,                    -- the one before
  launched3 INTEGER,                    -- the one before that
  UNIQUE (app, name)
) STRICT;
CREATE INDEX closed_scenes ON scenes (app, switched) WHERE closed = 1;

-- The revisions of a scene are a ring of slots: slot = scene * 2048 + place, replaced in place.
CREATE TABLE revisions (
  slot INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  saved_at INTEGER NOT NULL,
  placed_at INTEGER,                    -- of an autosave: when its place in the history was first taken; else NULL
  hash INTEGER NOT NULL,                -- of the value: equal for equal states
  checksum INTEGER NOT NULL,            -- XXH64 of the bytes, seeded with the revision
  routes INTEGER NOT NULL,
  selected_tab TEXT,
  state BLOB NOT NULL                   -- last: what stands before it is read without it
) STRICT;

-- What is known of a revision beyond what its save told.
CREATE TABLE marks (
  scene INTEGER NOT NULL REFERENCES scenes,
  revision INTEGER NOT NULL,
  confirmed INTEGER NOT NULL,           -- 0 or 1
  quarantined INTEGER NOT NULL,         -- 0 or 1
  PRIMARY KEY (scene, revision)
) STRICT, WITHOUT ROWID;

-- AUTOINCREMENT: a key names one kind for ever, in syncs' names and in caches.
CREATE TABLE kinds (
  kind INTEGER PRIMARY KEY AUTOINCREMENT,
  app INTEGER NOT NULL REFERENCES apps,
  name TEXT NOT NULL,
  declared INTEGER NOT NULL,            -- 0 or 1
  version TEXT,
  count INTEGER NOT NULL,               -- of its entities
  bytes INTEGER NOT NULL,               -- of their ids
  generation INTEGER NOT NULL,          -- of the newest sync; 0: none was begun
  revision INTEGER NOT NULL,            -- the number of the last change; 0: none
  changed_at INTEGER,                   -- when that was
  UNIQUE (app, name)
) STRICT;

-- A UUID is a blob of 16 bytes, any other id a text.
CREATE TABLE entities (
  kind INTEGER NOT NULL REFERENCES kinds,
  id ANY NOT NULL,
  mark INTEGER NOT NULL,                -- the kind's generation when a put last named the id
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

-- Ids deleted while a sync of their kind runs: the sync does not bring them back.
CREATE TABLE tombstones (
  kind INTEGER NOT NULL REFERENCES kinds,
  id ANY NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

-- The one row says whether something was deleted whose bytes are not scrubbed from the files yet.
CREATE TABLE erasure (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  pending INTEGER NOT NULL
) STRICT;
INSERT INTO erasure VALUES (1, 0);
