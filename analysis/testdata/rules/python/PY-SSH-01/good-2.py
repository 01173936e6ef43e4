import paramiko

def connect(host, policy):
    client = paramiko.SSHClient()
    client.set_missing_host_key_policy(policy)
