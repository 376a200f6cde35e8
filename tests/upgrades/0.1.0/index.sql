BEGIN TRANSACTION;
CREATE TABLE candidates (
    old_identity INTEGER NOT NULL,
    new_identity INTEGER NOT NULL,
    run          INTEGER NOT NULL,
    PRIMARY KEY (old_identity, new_identity)
) WITHOUT ROWID;
CREATE TABLE edges (
    version  INTEGER NOT NULL,
    ordinal  INTEGER NOT NULL,
    edge     TEXT NOT NULL,     -- calls, imports, inherits, implements
    name     TEXT NOT NULL,     -- of the far end, which is looked up when asked for
    receiver TEXT,
    alias    TEXT,
    entity   INTEGER NOT NULL,  -- the near end: an ordinal, -1 for the file
    line     INTEGER NOT NULL,
    PRIMARY KEY (version, ordinal)
) WITHOUT ROWID;
INSERT INTO "edges" VALUES(1,0,'calls','f',NULL,NULL,2,8);
CREATE TABLE entities (
    version        INTEGER NOT NULL,
    ordinal        INTEGER NOT NULL,
    identity       INTEGER NOT NULL,
    key            INTEGER NOT NULL,
    kind           TEXT NOT NULL,
    name           TEXT NOT NULL,
    qualified_name TEXT NOT NULL,
    content_hash   TEXT NOT NULL,
    start_line     INTEGER NOT NULL,
    end_line       INTEGER NOT NULL,
    PRIMARY KEY (version, ordinal)
) WITHOUT ROWID;
INSERT INTO "entities" VALUES(1,0,1,1,'fn','f','f','663b1aa3ed4c913e',1,3);
INSERT INTO "entities" VALUES(1,1,2,2,'class','A','A','bc338ba0001f7e4f',6,8);
INSERT INTO "entities" VALUES(1,2,3,3,'method','m','A.m','3df1807da66ebba8',7,8);
CREATE TABLE events (
    event          INTEGER PRIMARY KEY,
    identity       INTEGER NOT NULL,
    run            INTEGER NOT NULL,
    change         TEXT NOT NULL,  -- born only where there were candidates; else the identity's own row tells it
    path_id        INTEGER NOT NULL,
    qualified_name TEXT NOT NULL,
    start_line     INTEGER NOT NULL,
    end_line       INTEGER NOT NULL,
    content        TEXT NOT NULL,
    evidence       TEXT,
    confidence     TEXT
);
CREATE TABLE extractions (
    extraction INTEGER PRIMARY KEY,
    content    BLOB NOT NULL,  -- git's id of the blob
    language   TEXT NOT NULL,
    extractor  TEXT NOT NULL,  -- what it was extracted with
    outline    BLOB,           -- entities, chunks and references, without a path; null when no longer kept
    source     BLOB,           -- the file's bytes
    nodes      BLOB,           -- all nodes, where full detail was asked for
    n_entities INTEGER NOT NULL,
    n_nodes    INTEGER NOT NULL,
    n_chunks   INTEGER NOT NULL,  -- -1: the outline is a sketch, with entities only
    n_edges    INTEGER NOT NULL,
    notes      BLOB NOT NULL,  -- collisions and problems, msgpack
    UNIQUE (content, language, extractor)
);
INSERT INTO "extractions" VALUES(1,X'72774524DC397EB97BCF75A529D4CBFAFCA4DD69','python','96721f3d4fe57828',X'78015D924D6B1351148667AA4D834257822EBB6C20D1FB3DE70E181C0A822071515DA4D2C5FD5471D2944644FFC538A35904178DD22AB81910C1E5FC8D82FF25DE84AAB58B0B97F7BCE7BCDCF3DC8FA7876F5F3D1F1F54BFA21B9FFCC1DCCF7D732E1D1FC757A24E7975BDDCEC949BB7BE5AE7B7FCF69B4E5144CD22D84F4CAE26937936CFFE75B4DADD6149682987CD9755792B2B8AEECA7E3A7221C8CE479FB3DBA379F63764A32D87E5DD7E391836DF9611A3ED89CB7D48914D5C4D6B21A8C64A5167999198BA1A5147BDA19441A238C2A81696312912A399D7544110A410463B8230C5C432A82D072AC1A984138DB981785AEB3001B44208619F38E66B11AE92606E3D278E785153EB31A0C42A219CD60A9A9A130E8650242D450C531DC65C36D5C228602E31001E0BAC51CD8072D0D821855CA2A46A6A24384B00710DDE5B0F2AAEAEDDBC5EFDECF5EF3F19EC3C7EF068D0EBFBA72F0ED267F958AB7CFF47AFBFF330DBDDEDF5B30BEAF78BF6D1B290ED17D56C8530EA46DD783D5ACCFE10EAF22E6FB5E2C5EC9CC19200DFE37B1BEDB5457576C7BC142C7D8DD32377384E538B311509B62E2CC47AEA524738B5DA71C699F70983B37BFF37849DB2F03ACA3CE744119B06201281B1203DC60A642AB4C3842ACE1C60C2B1B91C49B4975219C110E0C041A5844916206827958244DA77D313A3F27C123E67B3D66EBF8FA2E843385151FC06EC10E986',X'78014B494D5348D3A8D0B4E252000225252597FC643D2005E616A5969416E5295428682B1872717125E72416172B384294A60035E66A14A7E6A441F582F44335A4691869720100CD8C15B8',NULL,3,8,3,1,X'929400000095000000009090');
CREATE TABLE files (
    snapshot  INTEGER NOT NULL,
    path_id   INTEGER NOT NULL,
    os_path   BLOB,     -- where it is not the path in UTF-8
    size      INTEGER NOT NULL,
    mtime_ns  INTEGER NOT NULL,
    ctime_ns  INTEGER NOT NULL,
    inode     INTEGER NOT NULL,
    attribute TEXT,     -- the language that .gitattributes names
    content   BLOB NOT NULL,
    language  TEXT,     -- null: none of ours
    version   INTEGER,  -- null: nothing is known of it
    problem   TEXT,     -- why the version is not that of the content
    PRIMARY KEY (snapshot, path_id)
) WITHOUT ROWID;
INSERT INTO "files" VALUES(1,1,NULL,90,1794935236253315344,1794935236253315344,3326385,NULL,X'72774524DC397EB97BCF75A529D4CBFAFCA4DD69','python',1,NULL);
CREATE TABLE identities (
    identity   INTEGER PRIMARY KEY,
    mark       TEXT NOT NULL,
    key        INTEGER NOT NULL,  -- at birth
    run        INTEGER NOT NULL,
    path_id    INTEGER NOT NULL,
    start_line INTEGER NOT NULL,
    end_line   INTEGER NOT NULL
);
INSERT INTO "identities" VALUES(1,'bm-j4j7tyj8mr3g',1,1,1,1,3);
INSERT INTO "identities" VALUES(2,'bm-9b9nh2aepk2b',2,1,1,6,8);
INSERT INTO "identities" VALUES(3,'bm-wswgyr43jraq',3,1,1,7,8);
CREATE TABLE keys (
    key           INTEGER PRIMARY KEY,
    semantic_path TEXT NOT NULL,
    birth         INTEGER NOT NULL,
    identity      INTEGER NOT NULL
);
INSERT INTO "keys" VALUES(1,'python:fn:f:__a_py',1794935237,1);
INSERT INTO "keys" VALUES(2,'python:class:A:__a_py',1794935237,2);
INSERT INTO "keys" VALUES(3,'python:method:m:A:__a_py',1794935237,3);
CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value NOT NULL
) WITHOUT ROWID;
INSERT INTO "meta" VALUES('format',1);
INSERT INTO "meta" VALUES('log_end',361);
CREATE TABLE paths (
    path_id INTEGER PRIMARY KEY,
    path    TEXT NOT NULL UNIQUE
);
INSERT INTO "paths" VALUES(1,'a.py');
CREATE TABLE runs (
    run      INTEGER PRIMARY KEY,
    worktree TEXT NOT NULL,  -- empty for a commit that was replayed; its time is the author's
    branch   TEXT,
    revision TEXT,
    at       INTEGER NOT NULL
);
INSERT INTO "runs" VALUES(1,'.','master','13f92cf9b5abd3ab5e5d34460ba52a1db8816104',1794935237);
CREATE TABLE snapshots (
    snapshot  INTEGER PRIMARY KEY,
    worktree  TEXT NOT NULL,
    branch    TEXT NOT NULL,
    run       INTEGER NOT NULL,  -- the last
    extractor TEXT NOT NULL,
    UNIQUE (worktree, branch)
);
INSERT INTO "snapshots" VALUES(1,'.','master',1,'96721f3d4fe57828 LimitSettings(max_bytes=1048576, seconds=20.0, memory_mb=2048) definitions');
CREATE TABLE versions (
    version    INTEGER PRIMARY KEY,
    path_id    INTEGER NOT NULL,
    extraction INTEGER NOT NULL,
    run        INTEGER NOT NULL,
    identities BLOB NOT NULL  -- of the extraction's entities in their order, msgpack
);
INSERT INTO "versions" VALUES(1,1,1,1,X'93010203');
CREATE VIEW present AS
SELECT snapshot, path, entities.identity, mark, semantic_path, birth,
       substr(semantic_path, 1, instr(semantic_path, ':') - 1) AS language,
       kind, name, qualified_name, content_hash, entities.start_line, entities.end_line, version, ordinal
FROM files JOIN entities USING (version) JOIN paths USING (path_id) JOIN identities USING (identity)
     JOIN keys ON keys.key = entities.key;
CREATE VIEW mentions AS
SELECT snapshot, path, files.language, edges.edge, edges.name, edges.receiver, edges.alias, edges.entity, edges.line,
       identity, kind, entities.name AS entity_name, entities.qualified_name, entities.start_line, entities.end_line,
       edges.version, edges.ordinal
FROM edges JOIN files USING (version) JOIN paths USING (path_id)
     LEFT JOIN entities ON entities.version = edges.version AND entities.ordinal = edges.entity;
CREATE UNIQUE INDEX identities_by_mark ON identities (mark);
CREATE UNIQUE INDEX keys_by_path ON keys (semantic_path, birth);
CREATE INDEX keys_by_identity ON keys (identity);
CREATE INDEX events_by_identity ON events (identity);
CREATE INDEX events_by_content ON events (content) WHERE change = 'deleted';
CREATE INDEX deletions_by_path ON events (path_id) WHERE change = 'deleted';
CREATE INDEX candidates_by_new ON candidates (new_identity);
CREATE INDEX versions_by_path ON versions (path_id, extraction);
CREATE INDEX versions_by_extraction ON versions (extraction);
CREATE INDEX files_by_version ON files (version);
CREATE INDEX entities_by_identity ON entities (identity);
CREATE INDEX entities_by_name ON entities (name);
CREATE INDEX edges_by_name ON edges (name);
CREATE INDEX edges_by_alias ON edges (alias) WHERE alias IS NOT NULL;
COMMIT;
PRAGMA user_version = 1;
