from django.http import JsonResponse
from .models import Account

def register(request):
    account = Account(**request.POST.dict())  # ← here
    account.save()
    return JsonResponse({})
