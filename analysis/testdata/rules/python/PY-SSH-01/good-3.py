import paramiko

client = paramiko.SSHClient()
client.load_host_keys('/srv/known_hosts')
client.connect('build.example.com')
