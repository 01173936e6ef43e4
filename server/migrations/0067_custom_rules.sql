-- Analysis rules that an organisation wrote. Scans and reviews of the organisation use the enabled ones.
create table scan_rules (
  org_id text not null references orgs,
  rule_id text not null check (rule_id ~ '^ORG(-[A-Z0-9]{1,16}){1,3}$'),
  yaml text not null check (length(yaml) <= 16000),
  is_enabled boolean not null,
  updated_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, rule_id)
);
call enable_tenant_rls('scan_rules');
