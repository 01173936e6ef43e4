import pickle

def cached(path):
    with open(path, 'rb') as handle:
        return pickle.load(handle)
