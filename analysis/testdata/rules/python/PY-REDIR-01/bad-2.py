from django.shortcuts import redirect

def leave(request):
    target = request.GET.get('to', '/')
    return redirect(target)  # ← here
