from django.db import transaction
def spend(wallet_id, amount):
    with transaction.atomic():
        wallet = Wallet.objects.select_for_update().get(pk=wallet_id)
        wallet.balance -= amount
        wallet.save()
