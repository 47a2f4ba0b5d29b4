-- What is searched of a comment: its words, as the program cuts them, and its page as `p<page id>`. Changed by the
-- program: a trigger may not touch it, since the schema is not trusted with virtual tables.
CREATE VIRTUAL TABLE comment_search USING fts5 (place, words, tokenize = 'ascii', columnsize = 0);
-- Fewer and larger merges: every unit of work writes a segment of its own.
INSERT INTO comment_search (comment_search, rank) VALUES ('automerge', 16);

-- Comments older than this table are brought in after the start, from this number downwards.
INSERT INTO server_state (key, value) SELECT 'search-backfill', seq FROM comment ORDER BY seq DESC LIMIT 1;

-- A tag of a tenant, with its `#`, as it was written first; `tag_key` is what it is compared by.
CREATE TABLE hash_tag (
    id         TEXT   NOT NULL PRIMARY KEY,
    tenant_id  TEXT   NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    tag        TEXT   NOT NULL,
    tag_key    TEXT   NOT NULL,
    url        TEXT,
    created_at BIGINT NOT NULL,
    UNIQUE (tenant_id, tag_key)
);

-- Who has seen a comment: a keyed hash of a person, a guest's session or an address. No foreign key: a comment with many
-- readers must go at once; what it leaves is cleared away in small steps.
CREATE TABLE comment_view (
    comment_seq BIGINT NOT NULL,
    viewer      BIGINT NOT NULL,
    -- Milliseconds.
    seen_at     BIGINT NOT NULL,
    PRIMARY KEY (comment_seq, viewer)
) WITHOUT ROWID;

ALTER TABLE comment ADD COLUMN view_count BIGINT NOT NULL DEFAULT 0;
-- JSON, as clients get it; the tags that are searched for are in comment_hash_tag.
ALTER TABLE comment ADD COLUMN hash_tags TEXT;
-- Rises when views of the page's comments were counted, which changes neither order nor visibility.
ALTER TABLE page ADD COLUMN view_version BIGINT NOT NULL DEFAULT 0;
-- Whether oldest-first trees are paged from their newest end; NULL is what the level above says.
ALTER TABLE tenant ADD COLUMN chat_paging INTEGER;
ALTER TABLE page ADD COLUMN chat_paging INTEGER;

CREATE INDEX comment_hidden ON comment (page_id) WHERE is_approved = 0 OR is_spam = 1;

DROP VIEW comment_record;
CREATE VIEW comment_record AS
SELECT
    c.seq, c.id, c.tenant_id, c.page_id, c.parent_seq, c.parent_id, c.user_id, c.anon_user_id, c.commenter_name,
    c.commenter_link, c.display_label AS written_label, c.source, c.html, c.url, c.locale, c.created_at, c.votes_up,
    c.votes_down, c.pinned_at, c.is_locked, c.is_approved, c.is_spam, c.is_deleted, c.is_deleted_user, c.is_verified,
    c.is_by_admin, c.is_by_moderator, c.has_images, c.has_links, c.has_code, c.flag_count, c.rating, c.feedback_ids,
    c.edit_key_hash, c.edit_key_expires_at, c.commenter_email, p.username, p.display_name,
    p.display_label AS person_label, p.avatar AS person_avatar, p.website_url, c.view_count, c.mentions, c.hash_tags
FROM comment AS c
LEFT JOIN person AS p ON p.tenant_id = c.tenant_id AND p.id = c.user_id;
