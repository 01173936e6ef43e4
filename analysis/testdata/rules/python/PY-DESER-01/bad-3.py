import yaml

def settings(path):
    with open(path) as handle:
        return yaml.load(handle)  # ← here
