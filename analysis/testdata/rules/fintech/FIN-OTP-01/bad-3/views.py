from django.http import JsonResponse
def send(request):
    otp = make_otp()
    return JsonResponse({'otp': otp})  # ← here
