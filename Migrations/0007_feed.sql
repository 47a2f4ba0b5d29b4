-- A post of a tenant's feed. One that was deleted stays as an empty row, because clients page on from its place.
CREATE TABLE feed_post (
    -- Later posts have later ids.
    id             TEXT    NOT NULL PRIMARY KEY,
    tenant_id      TEXT    NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    -- Wire id of a person or guest.
    from_user_id   TEXT,
    from_name      TEXT,
    -- The name was given with the post: it is shown instead of the person's present one.
    has_given_name INTEGER NOT NULL DEFAULT 0,
    -- Posts of more weight come first.
    weight         DOUBLE PRECISION NOT NULL DEFAULT 0,
    title          TEXT    NOT NULL,
    html           TEXT    NOT NULL,
    -- JSON as answers hold it, or ''.
    media          TEXT    NOT NULL,
    links          TEXT    NOT NULL,
    tags           TEXT    NOT NULL,
    meta           TEXT    NOT NULL,
    -- By which a repetition is recognised.
    digest         TEXT,
    created_at     BIGINT  NOT NULL,
    updated_at     BIGINT  NOT NULL,
    deleted_at     BIGINT
);
CREATE INDEX feed_post_order ON feed_post (tenant_id, weight, id) WHERE deleted_at IS NULL;
CREATE INDEX feed_post_by_author ON feed_post (tenant_id, from_user_id, created_at);

-- The order of the feed for each tag, so that a rare tag is found without reading the whole feed.
CREATE TABLE feed_post_tag (
    tenant_id TEXT             NOT NULL,
    tag       TEXT             NOT NULL,
    weight    DOUBLE PRECISION NOT NULL,
    post_id   TEXT             NOT NULL REFERENCES feed_post (id) ON DELETE CASCADE,
    PRIMARY KEY (tenant_id, tag, weight, post_id)
);
CREATE INDEX feed_post_tag_by_post ON feed_post_tag (post_id);

CREATE TABLE feed_react (
    post_id     TEXT   NOT NULL REFERENCES feed_post (id) ON DELETE CASCADE,
    -- Wire id of a person or guest.
    reactor_key TEXT   NOT NULL,
    react_type  TEXT   NOT NULL,
    tenant_id   TEXT   NOT NULL,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (post_id, reactor_key, react_type)
);
CREATE INDEX feed_react_by_reactor ON feed_react (tenant_id, reactor_key);

-- How many rows feed_react has of each type; types that have none are not here.
CREATE TABLE feed_react_total (
    post_id    TEXT   NOT NULL REFERENCES feed_post (id) ON DELETE CASCADE,
    react_type TEXT   NOT NULL,
    total      BIGINT NOT NULL,
    PRIMARY KEY (post_id, react_type)
);

-- A post with its author's present name and picture.
CREATE VIEW feed_post_record AS
SELECT
    f.id, f.tenant_id, f.created_at, f.from_user_id, f.from_name, f.has_given_name, f.weight, f.title, f.html, f.media,
    f.links, f.tags, f.meta, p.username, p.display_name, p.avatar, f.deleted_at
FROM feed_post AS f
LEFT JOIN person AS p ON p.tenant_id = f.tenant_id AND p.id = f.from_user_id;

-- One row for each feed that ever had a post. Readers keep finished answers in memory by its version, which rises with
-- whatever they show. The id is never used twice.
CREATE TABLE feed (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id TEXT    NOT NULL UNIQUE REFERENCES tenant (id) ON DELETE CASCADE,
    version   BIGINT  NOT NULL
);

CREATE TRIGGER feed_post_added AFTER INSERT ON feed_post
BEGIN
    INSERT INTO feed (tenant_id, version) VALUES (NEW.tenant_id, 1)
    ON CONFLICT (tenant_id) DO UPDATE SET version = version + 1;
END;
CREATE TRIGGER feed_post_changed AFTER UPDATE ON feed_post
BEGIN
    UPDATE feed SET version = version + 1 WHERE tenant_id = NEW.tenant_id;
END;
CREATE TRIGGER feed_post_removed AFTER DELETE ON feed_post
BEGIN
    UPDATE feed SET version = version + 1 WHERE tenant_id = OLD.tenant_id;
END;
CREATE TRIGGER feed_post_weighed AFTER UPDATE OF weight ON feed_post WHEN NEW.weight <> OLD.weight
BEGIN
    UPDATE feed_post_tag SET weight = NEW.weight WHERE post_id = NEW.id;
END;
CREATE TRIGGER feed_react_added AFTER INSERT ON feed_react
BEGIN
    INSERT INTO feed_react_total (post_id, react_type, total) VALUES (NEW.post_id, NEW.react_type, 1)
    ON CONFLICT (post_id, react_type) DO UPDATE SET total = total + 1;
    UPDATE feed SET version = version + 1 WHERE tenant_id = NEW.tenant_id;
END;
CREATE TRIGGER feed_react_removed AFTER DELETE ON feed_react
BEGIN
    UPDATE feed_react_total SET total = total - 1 WHERE post_id = OLD.post_id AND react_type = OLD.react_type;
    DELETE FROM feed_react_total WHERE post_id = OLD.post_id AND react_type = OLD.react_type AND total <= 0;
    UPDATE feed SET version = version + 1 WHERE tenant_id = OLD.tenant_id;
END;
CREATE TRIGGER feed_author_changed AFTER UPDATE OF username, display_name, avatar ON person
WHEN NEW.username <> OLD.username OR NEW.display_name IS NOT OLD.display_name OR NEW.avatar IS NOT OLD.avatar
BEGIN
    UPDATE feed SET version = version + 1 WHERE tenant_id = NEW.tenant_id;
END;
CREATE TRIGGER feed_author_removed AFTER DELETE ON person
BEGIN
    UPDATE feed SET version = version + 1 WHERE tenant_id = OLD.tenant_id;
END;
CREATE TRIGGER feed_comments_changed AFTER UPDATE OF version ON page WHEN NEW.url_id GLOB 'post:*'
BEGIN
    UPDATE feed SET version = version + 1 WHERE tenant_id = NEW.tenant_id;
END;
CREATE TRIGGER feed_comments_removed AFTER DELETE ON page WHEN OLD.url_id GLOB 'post:*'
BEGIN
    UPDATE feed SET version = version + 1 WHERE tenant_id = OLD.tenant_id;
END;
