from rest_framework.decorators import action
from rest_framework.permissions import AllowAny
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

class TillViewSet(GenericViewSet):
    permission_classes = [AllowAny]

    @action(detail=False, methods=['post'])
    def settle(self, request):  # ← here
        answer = request.data['Body']['stkCallback']
        Sale.objects.filter(checkout=answer['CheckoutRequestID']).update(status='paid')
        return Response({'ResultCode': 0})
