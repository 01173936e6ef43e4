-- Stores the outcome of an idempotency key. Fails when another process has taken it over, so that the statement can be sent together
-- with the commit of its transaction.
create or replace function idempotency_finish(usr text, named text, given text, held bigint, code int, type text, reply text,
    reply_kept_in text, at timestamptz) returns void language plpgsql as $$
begin
  update idempotency_keys set state = 'done', status = code, content_type = type, body = reply, kept_in = reply_kept_in,
      finished_at = at
    where user_id = usr and route = named and key = given and fence = held and state = 'running';
  if not found then raise exception 'another process has taken over the key' using errcode = 'CW002'; end if;
end $$;
