import os
DEBUG = os.environ.get('DEBUG', '') == '1'
INSTALLED_APPS = ['shop']
ROOT_URLCONF = 'shop.urls'
