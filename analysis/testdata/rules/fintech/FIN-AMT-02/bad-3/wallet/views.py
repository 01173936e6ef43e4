def transfer(request):
    amount = int(request.POST['amount'])
    wallet = request.user.wallet
    if wallet.balance < amount:
        return HttpResponse(status=402)
    wallet.balance -= amount  # ← here
    wallet.save()
