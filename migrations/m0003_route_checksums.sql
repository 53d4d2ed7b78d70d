-- A changed byte in a route table would be believed: SQLite's pages have no checksum. Empty for a table that a release
-- before set, and where there is none. A blob, and never NULL, so that a row is told from one of scenes by its columns.
ALTER TABLE apps ADD COLUMN routes_checksum BLOB NOT NULL DEFAULT x''; -- XXH64, seeded with routes_revision, big-endian
