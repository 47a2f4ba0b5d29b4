-- What people say to a page with one press. Likes (version 1, whose react_id is empty) and reactions (version 2) do not
-- count towards each other.
CREATE TABLE page_react (
    page_id     BIGINT  NOT NULL REFERENCES page (id) ON DELETE CASCADE,
    version     INTEGER NOT NULL,
    react_id    TEXT    NOT NULL,
    -- Wire id of a person or guest, or the id that the server made of what it knows of a stranger.
    reactor_key TEXT    NOT NULL,
    -- Only for people.
    user_id     TEXT,
    created_at  BIGINT  NOT NULL,
    PRIMARY KEY (page_id, version, react_id, reactor_key)
);
CREATE INDEX page_react_by_reactor ON page_react (page_id, version, reactor_key, react_id);

-- Kept by the triggers below, so that it is true whoever removes a reaction. No row is zero.
CREATE TABLE page_react_count (
    page_id  BIGINT  NOT NULL REFERENCES page (id) ON DELETE CASCADE,
    version  INTEGER NOT NULL,
    react_id TEXT    NOT NULL,
    count    BIGINT  NOT NULL,
    PRIMARY KEY (page_id, version, react_id)
);

CREATE TRIGGER page_react_added AFTER INSERT ON page_react
BEGIN
    INSERT INTO page_react_count (page_id, version, react_id, count)
    VALUES (NEW.page_id, NEW.version, NEW.react_id, 1)
    ON CONFLICT (page_id, version, react_id) DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER page_react_removed AFTER DELETE ON page_react
BEGIN
    UPDATE page_react_count SET count = count - 1
    WHERE page_id = OLD.page_id AND version = OLD.version AND react_id = OLD.react_id;
    DELETE FROM page_react_count
    WHERE page_id = OLD.page_id AND version = OLD.version AND react_id = OLD.react_id AND count <= 0;
END;
