-- The organisations, beside what they own on a database that distributes them over nodes.
create view wallet_orgs with (security_invoker = true) as select org_id, currency from wallets;

do $$
begin
  if exists (select from pg_roles where rolname = 'cowrie_app') then
    revoke insert, update, delete on wallet_orgs from cowrie_app;
  end if;
end $$;
