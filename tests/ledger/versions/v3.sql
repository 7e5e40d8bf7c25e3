-- A ledger as the programs of version 3 left it: a finished run, and an open one of which a
-- part is done, one failed an attempt, one is held by a worker, one was lost twice.
CREATE SCHEMA sibyl;
CREATE TABLE sibyl.ledger(version bigint NOT NULL, reads bigint NOT NULL, secret text NOT NULL);
INSERT INTO sibyl.ledger(version, reads, secret) VALUES(3, 2, '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff');
CREATE SEQUENCE sibyl.token;
CREATE TABLE sibyl.run(
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  oracle text NOT NULL,
  name text NOT NULL,
  fingerprint text NOT NULL,
  nonce text NOT NULL,
  state text NOT NULL,
  last_place bigint NOT NULL,
  finish bigint NOT NULL,
  began bigint NOT NULL,
  ended bigint NOT NULL,
  server text NOT NULL DEFAULT '',
  parts_at_once bigint NOT NULL DEFAULT 0,
  tokens_per_hour bigint NOT NULL DEFAULT 0,
  tokens bigint NOT NULL DEFAULT 0,
  money_millionths bigint NOT NULL DEFAULT 0,
  asked timestamptz NOT NULL DEFAULT '-infinity');
CREATE UNIQUE INDEX run_open ON sibyl.run(oracle, name) WHERE state = 'open';
CREATE INDEX run_server ON sibyl.run(server) WHERE state = 'open' AND server <> '';
CREATE INDEX run_nonce ON sibyl.run(nonce);
CREATE TABLE sibyl.job(
  run bigint NOT NULL,
  place bigint NOT NULL,
  name text NOT NULL,
  fingerprint text NOT NULL,
  is_last boolean NOT NULL,
  state text NOT NULL,
  attempts bigint NOT NULL DEFAULT 0,
  losses bigint NOT NULL DEFAULT 0,
  token bigint NOT NULL DEFAULT 0,
  nonce text NOT NULL DEFAULT '',
  holder text NOT NULL DEFAULT '',
  heartbeat bigint NOT NULL DEFAULT 0,
  lease_ms bigint NOT NULL DEFAULT 0,
  expires timestamptz NOT NULL DEFAULT '-infinity',
  progress text NOT NULL DEFAULT '',
  reason text NOT NULL DEFAULT '',
  payload bytea NOT NULL DEFAULT '',
  began bigint NOT NULL DEFAULT 0,
  ended bigint NOT NULL DEFAULT 0,
  changed xid8 NOT NULL DEFAULT pg_current_xact_id(),
  lost bigint NOT NULL DEFAULT 0,
  released bigint NOT NULL DEFAULT 0,
  PRIMARY KEY(run, place)) WITH (fillfactor = 70);
CREATE INDEX job_waiting ON sibyl.job(run, place) WHERE state = 'waiting';
CREATE INDEX job_running ON sibyl.job(run, place) WHERE state = 'running';
CREATE TABLE sibyl.spending(
  name text PRIMARY KEY,
  run bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  tokens bigint NOT NULL,
  money_millionths bigint NOT NULL);
CREATE INDEX spending_run ON sibyl.spending(run, at);
INSERT INTO sibyl.run(oracle, name, fingerprint, nonce, state, last_place, finish, began, ended)
  VALUES ('oracle', 'older', '1', 'n1', 'finished', 1, 1, 1800000000, 1800000100),
         ('oracle', 'plan', '1', 'n2', 'open', 4, 0, 1800000200, 0);
SELECT setval('sibyl.token', 17);
INSERT INTO sibyl.job(run, place, name, fingerprint, is_last, state, attempts, losses, token, nonce, holder, heartbeat, lease_ms, expires, progress, reason, payload, began, ended)
  VALUES (1, 0, 'a', 'f', false, 'done', 1, 0, 3, 'c1', '', 4, 30000, '-infinity', '', '', '\x6f6c64', 1800000001, 1800000002),
         (1, 1, 'publish', '', true, 'done', 1, 0, 4, 'c2', '', 1, 30000, '-infinity', '', '', '\x70', 1800000003, 1800000004),
         (2, 0, 'a', 'f', false, 'done', 1, 0, 9, 'c3', '', 2, 30000, '-infinity', '', '', '\x6d616465', 1800000201, 1800000202),
         (2, 1, 'b', 'f', false, 'waiting', 1, 0, 10, 'c4', '', 2, 30000, '-infinity', '', 'not found', '\x', 1800000203, 0),
         (2, 2, 'c', 'f', false, 'running', 0, 0, 17, 'c5', 'far.example.org boot 4711 1', 3, 30000, '2026-01-01 00:00:00+00', '', '', '\x68616c66', 1800000204, 0),
         (2, 3, 'd', 'f', false, 'waiting', 0, 2, 12, 'c6', '', 2, 30000, '-infinity', '', 'its process was lost', '\x', 1800000205, 0),
         (2, 4, 'publish', '', true, 'waiting', 0, 0, 0, '', '', 0, 0, '-infinity', '', '', '\x', 0, 0);
