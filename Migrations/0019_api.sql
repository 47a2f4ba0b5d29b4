-- What a site's own backend says beside what people at its pages do.
ALTER TABLE comment ADD COLUMN url_id_raw TEXT;
ALTER TABLE comment ADD COLUMN product_id BIGINT;
ALTER TABLE comment ADD COLUMN is_parent_notified INTEGER;
ALTER TABLE comment ADD COLUMN is_tenant_notified INTEGER;
-- In the same order as above, as with all columns of a comment.
ALTER TABLE trash_comment ADD COLUMN url_id_raw TEXT;
ALTER TABLE trash_comment ADD COLUMN product_id BIGINT;
ALTER TABLE trash_comment ADD COLUMN is_parent_notified INTEGER;
ALTER TABLE trash_comment ADD COLUMN is_tenant_notified INTEGER;

ALTER TABLE person ADD COLUMN created_from_url_id TEXT;
ALTER TABLE person ADD COLUMN login_count BIGINT NOT NULL DEFAULT 0;
ALTER TABLE person ADD COLUMN is_account_owner INTEGER NOT NULL DEFAULT 0;
-- Lists of people, by when they came.
CREATE INDEX person_by_creation ON person (tenant_id, created_at, id);

-- An address leads to its guest.
CREATE INDEX guest_by_email ON guest (tenant_id, email) WHERE email IS NOT NULL;
-- Tags in alphabetical order.
CREATE INDEX hash_tag_by_name ON hash_tag (tenant_id, tag, id);
CREATE INDEX page_by_creation ON page (tenant_id, created_at, id);
CREATE INDEX subscription_by_creation ON subscription (tenant_id, created_at, id);
CREATE INDEX notice_by_creation ON notice (tenant_id, created_at, id);
CREATE INDEX comment_by_tag ON comment_hash_tag (tag, comment_seq);

-- What of a comment's author shows as it was written with the comment, whatever the person is called now: a sum of
-- 1 name, 2 picture, 4 label, 8 link.
ALTER TABLE comment ADD COLUMN own_words INTEGER NOT NULL DEFAULT 0;
ALTER TABLE trash_comment ADD COLUMN own_words INTEGER NOT NULL DEFAULT 0;

DROP VIEW comment_record;
CREATE VIEW comment_record AS
SELECT
    c.seq, c.id, c.tenant_id, c.page_id, c.parent_seq, c.parent_id, c.user_id, c.anon_user_id, c.commenter_name,
    c.commenter_link, c.display_label AS written_label, c.source, c.html, c.url, c.locale, c.created_at, c.votes_up,
    c.votes_down, c.pinned_at, c.is_locked, c.is_approved, c.is_spam, c.is_deleted, c.is_deleted_user, c.is_verified,
    c.is_by_admin, c.is_by_moderator, c.has_images, c.has_links, c.has_code, c.flag_count, c.rating, c.feedback_ids,
    c.edit_key_hash, c.edit_key_expires_at, c.commenter_email, p.username, p.display_name,
    p.display_label AS person_label, p.avatar AS person_avatar, p.website_url, c.view_count, c.mentions, c.hash_tags,
    c.is_reviewed, c.is_perm_not_spam, c.is_hidden_by_flags, c.moderation_groups, c.avatar AS written_avatar,
    c.own_words
FROM comment AS c
LEFT JOIN person AS p ON p.tenant_id = c.tenant_id AND p.id = c.user_id;

-- A vote that a backend cast for somebody: as good as one of somebody signed on.
ALTER TABLE vote ADD COLUMN is_authorized INTEGER NOT NULL DEFAULT 0;
ALTER TABLE trash_vote ADD COLUMN is_authorized INTEGER NOT NULL DEFAULT 0;

-- A page whose record a backend deleted while its comments stay; whatever happens there brings it back.
ALTER TABLE page ADD COLUMN is_removed INTEGER NOT NULL DEFAULT 0;
