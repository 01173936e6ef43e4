-- Where mails go when no mail server is configured: development and tests read their links here.

create table mail_outbox (
  -- The job's id: a job that is done twice keeps its mail once. Ids sort by the time the mail was wanted, whichever of
  -- several that are sent at once arrives first.
  id text primary key,
  -- The order of arrival: what is oldest here goes first.
  position bigint generated always as identity,
  recipient text not null check (length(recipient) between 3 and 254),
  subject text not null check (length(subject) between 1 and 200),
  body_text text not null,
  body_html text not null,
  created_at timestamptz not null
);
create unique index mail_outbox_position on mail_outbox (position);
create index mail_outbox_of_recipient on mail_outbox (lower(recipient), id desc);
