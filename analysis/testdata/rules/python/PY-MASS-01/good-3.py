from rest_framework.views import APIView
from .models import Account

class Accounts(APIView):
    def post(self, request):
        given = AccountSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        return Account.objects.create(**given.validated_data)
