from django.views.decorators.csrf import csrf_exempt
from .models import Note

@csrf_exempt
def remove(request, pk):
    Note.objects.get(pk=pk).delete()
