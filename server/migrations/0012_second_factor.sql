-- What a person shows besides or instead of a password: codes of an authenticator app, recovery codes, passkeys.
-- All of it belongs to a person and to no organisation.
create table totp_secrets (
  user_id text primary key references users,
  -- Encrypted by the application for this user.
  sealed_secret text not null,
  created_at timestamptz not null,
  -- Null until a first code has shown that the app has the secret: before that it counts for nothing.
  confirmed_at timestamptz,
  -- The time step of the code that was used last. No code of this step or an earlier one works again.
  last_step bigint
);

create table recovery_codes (
  user_id text not null references users,
  hash bytea not null check (length(hash) = 32),
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (user_id, hash)
);

-- Sign-ins whose first step is done and whose second is awaited.
create table mfa_challenges (
  token_hash bytea primary key check (length(token_hash) = 32),
  user_id text not null references users,
  first_factor text not null check (first_factor in ('password', 'magic_link')),
  wrong_codes integer not null default 0 check (wrong_codes between 0 and 5),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index mfa_challenges_by_user on mfa_challenges (user_id);
create index mfa_challenges_by_expiry on mfa_challenges (expires_at);

create table passkeys (
  id text primary key,
  user_id text not null references users,
  credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
  public_key bytea not null check (length(public_key) between 1 and 2048),
  counter bigint not null check (counter between 0 and 4294967295),
  transports text[] not null,
  backed_up boolean not null,
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_by_user on passkeys (user_id, created_at);

-- What a passkey is asked to sign. A row is taken away by its first use.
create table passkey_challenges (
  hash bytea primary key check (length(hash) = 32),
  -- To add a passkey: the person who asked. To sign in: the browser that asked.
  user_id text references users,
  browser_hash bytea check (length(browser_hash) = 32),
  expires_at timestamptz not null,
  check ((user_id is null) <> (browser_hash is null))
);
create index passkey_challenges_by_expiry on passkey_challenges (expires_at);
