-- A save that follows one of the same scene leaves its user's row as it is: what the row would say follows from the
-- scene's rows, in the same page of which the save writes anyway. Whatever else changes the user writes the row.
ALTER TABLE users ADD COLUMN scene INTEGER;       -- whose saves since then the row does not tell of; NULL: none
ALTER TABLE users ADD COLUMN scene_bytes INTEGER; -- what used_bytes counts of that scene's states

-- What is true of each user, at any moment.
CREATE VIEW user_counts AS
SELECT u.uid,
  max(u.revision, ifnull(max(r.revision), 0)) AS revision,
  CASE WHEN max(r.revision) > u.revision THEN max(r.saved_at) ELSE u.changed_at END AS changed_at,
  CASE WHEN max(r.revision) > u.revision THEN max(r.saved_at) ELSE u.saved_at END AS saved_at,
  u.used_bytes - ifnull(u.scene_bytes, 0) + ifnull(sum(length(r.state)), 0) AS used_bytes,
  u.forgotten,
  u.revision AS written,
  u.scene
FROM users u LEFT JOIN revisions r ON r.slot BETWEEN u.scene * 2048 AND u.scene * 2048 + 2047
GROUP BY u.uid;
