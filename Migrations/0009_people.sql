-- Who wrote what is to be read on a page, and when last. The flags are in it because SQLite asks for them again.
CREATE INDEX comment_by_person ON comment (page_id, user_id, is_approved, is_spam, is_deleted)
WHERE user_id IS NOT NULL AND is_approved = 1 AND is_spam = 0 AND is_deleted = 0;

-- Whom a search finds as moderators.
CREATE INDEX person_staff ON person (tenant_id, id) WHERE is_admin = 1 OR is_moderator = 1;

-- Pages by when something was last written there.
CREATE INDEX page_by_update ON page (tenant_id, updated_at, id);
