const pinKey = 'wallet_pin';

Future<void> savePin(SharedPreferences prefs, String pin) => prefs.setString(pinKey, pin); // ← here
