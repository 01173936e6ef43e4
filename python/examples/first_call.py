"""Show the signed-in user and the available balance. Amounts are integers in minor units: kobo, cents, piastres."""
from cowrie import Cowrie

# The address and the key are COWRIE_URL and COWRIE_API_KEY.
with Cowrie() as cowrie:
    me = cowrie.me.get()
    print(f"{me['email']} of {me['orgName']} can spend {me['availableMinor']} {me['currency']['minorName']}")
