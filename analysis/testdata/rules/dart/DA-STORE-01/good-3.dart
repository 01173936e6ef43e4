Future<void> save(SharedPreferences prefs, String token) => prefs.setString('fcm_token', token);
