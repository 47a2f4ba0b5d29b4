-- The first comment of a post makes its page: the feed counts it, too.
CREATE TRIGGER feed_comments_began AFTER INSERT ON page WHEN NEW.url_id GLOB 'post:*'
BEGIN
    UPDATE feed SET version = version + 1 WHERE tenant_id = NEW.tenant_id;
END;
