from django.views.decorators.csrf import csrf_exempt
from django.http import JsonResponse

@csrf_exempt
def health(request):
    return JsonResponse({'ok': True})
