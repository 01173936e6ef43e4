def mktemp():
    return 'own'

name = mktemp()
