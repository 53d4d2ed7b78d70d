-- The schema of the first release.
SELECT 1;
