def transfer(request):
    amount = int(request.POST['amount'])
    if amount <= 0:
        return HttpResponse(status=400)
    request.user.wallet.balance -= amount
    request.user.wallet.save()
