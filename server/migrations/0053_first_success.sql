-- Two more ways to open a session: the confirmation of an address in the browser that registered, and GitHub.
alter table sessions
  drop constraint sessions_method_check,
  add constraint sessions_method_check
    check (method in ('password', 'magic_link', 'verification', 'passkey', 'oidc', 'saml', 'github', 'invitation', 'dev'));
