"""Write all ledger entries as CSV."""
import csv
import sys

from cowrie import Cowrie

with Cowrie() as cowrie:
    table = csv.writer(sys.stdout)
    table.writerow(["at", "type", "source", "amountMinor", "balanceAfterMinor"])
    for entry in cowrie.paginate(cowrie.wallet.ledger, "entries", limit=50):
        table.writerow(
            [entry["createdAt"], entry["type"], entry["source"], entry["amountMinor"], entry["balanceAfterMinor"]]
        )
