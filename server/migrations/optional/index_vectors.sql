-- Vectors of code indexes that are too large for memory, with an approximate index over them. It is no migration: it needs the
-- extension `vector`, 0.8 or newer, which many servers do not have, and is applied, as often as anybody likes, when a server has it.
do $make$
begin
  -- Dropping the extension with all that depends on it leaves the table without its vectors, and one from before repositories
  -- had names does not say whose they are. Both are filled again from the index.
  if to_regclass('public.index_vectors') is not null
     and (select count(*) from pg_attribute where attrelid = to_regclass('public.index_vectors')
                                              and attname in ('direction', 'repo') and not attisdropped) < 2 then
    drop table public.index_vectors, public.index_vector_fills;
  end if;

  if to_regclass('public.index_vectors') is null then
    create table public.index_vectors (
      file_id text not null,
      ord integer not null,
      org_id text not null,
      repo text not null,
      model text not null,
      dims integer not null check (vector_dims(direction) = dims),
      -- One byte for each dimension fits exactly into the two that each has here.
      direction halfvec not null,
      primary key (file_id, ord),
      foreign key (file_id, ord) references public.index_chunks on delete cascade
    );
    create index index_vectors_by_org on public.index_vectors (org_id, repo, model, dims);
    call public.enable_tenant_rls('public.index_vectors');

    -- Up to which change of its index the vectors of an organisation are there.
    create table public.index_vector_fills (
      org_id text not null references public.index_states on delete cascade,
      model text not null,
      dims integer not null,
      version bigint not null,
      primary key (org_id, model, dims)
    );
    call public.enable_tenant_rls('public.index_vector_fills');
  end if;

  -- An approximate index knows one number of dimensions.
  create or replace procedure public.index_vectors_for(dims integer) language plpgsql as $for$
  begin
    execute format('create index if not exists index_vectors_%1$s on public.index_vectors
                      using hnsw ((direction::halfvec(%1$s)) halfvec_ip_ops) where dims = %1$s', dims);
  end $for$;

  drop function if exists public.index_nearest(text, text, halfvec, text[], integer);
  -- The nearest of one repository, the best first. All vectors have the same length, so the product is the nearness. The walk
  -- goes on past those of others until there are enough, or until it has seen too many.
  create or replace function public.index_nearest(org text, in_repo text, by_model text, question halfvec, not_in text[],
                                                  most integer)
  returns table (file_id text, ord integer, product double precision) language plpgsql as $nearest$
  begin
    perform set_config('hnsw.iterative_scan', 'strict_order', true), set_config('hnsw.ef_search', '400', true),
            set_config('hnsw.max_scan_tuples', '200000', true), set_config('hnsw.scan_mem_multiplier', '16', true);
    return query execute format(
      'select v.file_id, v.ord, -(v.direction::halfvec(%1$s) <#> $4::halfvec(%1$s))
       from public.index_vectors v
       where v.org_id = $1 and v.repo = $2 and v.model = $3 and v.dims = %1$s and v.file_id <> all ($5)
       order by v.direction::halfvec(%1$s) <#> $4::halfvec(%1$s) limit $6', vector_dims(question))
      using org, in_repo, by_model, question, not_in, most;
  end $nearest$;
end $make$;
