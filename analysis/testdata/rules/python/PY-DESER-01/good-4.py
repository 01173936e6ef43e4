import yaml
from yaml import CSafeLoader

def settings(path):
    with open(path) as handle:
        return yaml.load(handle, Loader=CSafeLoader)
