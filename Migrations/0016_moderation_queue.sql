-- What moderators see of a comment besides its record.
CREATE VIEW comment_detail AS
SELECT
    c.seq, g.url_id, g.title, c.local_date_string, c.expire_at,
    (SELECT COUNT(*) FROM comment AS r WHERE r.parent_seq = c.seq AND r.is_deleted = 0) AS reply_count
FROM comment AS c JOIN page AS g ON g.id = c.page_id;
