-- What changes still have to do after their answers, in small units, and how far that is. Takes the place of ban_sweep.
CREATE TABLE long_task (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id TEXT    NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    kind      TEXT    NOT NULL,
    -- Wire id of a person, or number of a comment, or ''.
    subject   TEXT    NOT NULL,
    -- The number of the comment where the last unit ended.
    place     BIGINT  NOT NULL,
    -- What else the kind needs, as a JSON object.
    detail    TEXT    NOT NULL,
    -- Units that failed: whatever did not fail goes first.
    failures  BIGINT  NOT NULL DEFAULT 0
);
CREATE INDEX long_task_order ON long_task (failures, id);
CREATE INDEX long_task_by_subject ON long_task (tenant_id, subject, kind);

INSERT INTO long_task (tenant_id, kind, subject, place, detail)
SELECT tenant_id, 'ban-sweep', '', before_seq,
       json_object('key', user_key, 'emailKey', email_key, 'emailDomain', email_domain, 'addressHash', address_hash)
FROM ban_sweep ORDER BY id;
DROP TABLE ban_sweep;

-- Where a removed comment stood: its page may be gone when it comes back.
ALTER TABLE trash ADD COLUMN url_id TEXT;
UPDATE trash SET url_id = (
    SELECT g.url_id FROM trash_comment AS c JOIN page AS g ON g.id = c.page_id WHERE c.seq = trash.seq);
-- What somebody wrote who is deleted leaves the trash at once.
CREATE INDEX trash_comment_by_author ON trash_comment (tenant_id, author_key) WHERE author_key IS NOT NULL;

-- Hosts of comments that are older than the column are filled in after the start, from this number downwards.
INSERT INTO server_state (key, value)
SELECT 'domain-backfill', seq FROM comment WHERE domain IS NULL ORDER BY seq DESC LIMIT 1;

-- Where somebody who runs a tenant signed in from: a keyed hash of the address.
CREATE TABLE account_address (
    account_id   TEXT   NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    address_hash TEXT   NOT NULL,
    seen_at      BIGINT NOT NULL,
    PRIMARY KEY (account_id, address_hash)
) WITHOUT ROWID;
