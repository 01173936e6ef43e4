from django.http import HttpResponse

def login(request):
    answer = HttpResponse('ok')
    answer.set_cookie(key='auth', value=sign(request.user), httponly=True)  # ← here
    return answer
