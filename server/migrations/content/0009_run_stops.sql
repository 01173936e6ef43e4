-- When a member asked to stop a run or loop. The replica that works on it reads this with its heartbeat.
alter table agent_runs add column stop_requested_at timestamptz;
