-- Responses of the Responses API that their callers asked to store. Kept thirty days.
create table stored_responses (
  id text primary key,
  org_id text not null,
  user_id text not null,
  -- The response that it continues. Its items are repeated here, so that each response can be deleted alone.
  previous_id text,
  -- All items of the prompt, and the response as it was sent. `json`, because a model may write the \u0000 that jsonb refuses.
  input json not null,
  response json not null,
  size_bytes integer not null check (size_bytes > 0),
  created_at timestamptz not null
);
-- For the export and for the limit of an organisation.
create index stored_responses_by_org on stored_responses (org_id, created_at, id) include (size_bytes);
create index stored_responses_by_age on stored_responses (created_at);
call public.keep_content('stored_responses');
