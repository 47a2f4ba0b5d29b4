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
