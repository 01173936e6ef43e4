-- Citus supports no subqueries in policies: in those of distributed tables it refuses them, and in those of other tables they can
-- crash the server. The function is evaluated for each row instead of once.
-- A table with a policy that is joined directly with a distributed one crashes the server too (`WrapRteRelationIntoSubquery` keeps
-- the positions of the policy). Statements name one of the two in a subquery or CTE, and the service refuses others.
create or replace procedure citus_simplify_policies() language plpgsql as $$
declare
  each record;
  calls text := '\( SELECT (\w+\(\)) AS \w+\)';
begin
  for each in
    select polname, polrelid::regclass as relation, pg_get_expr(polqual, polrelid) as visible, pg_get_expr(polwithcheck, polrelid) as allowed
    from pg_policy join pg_class c on c.oid = polrelid
    where c.relnamespace = 'public'::regnamespace
      and concat(pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) ~ calls
  loop
    execute format('alter policy %I on %s', each.polname, each.relation)
      || coalesce(format(' using (%s)', regexp_replace(each.visible, calls, '\1', 'g')), '')
      || coalesce(format(' with check (%s)', regexp_replace(each.allowed, calls, '\1', 'g')), '');
  end loop;
end $$;
