
package shop;
import java.io.*;
import java.security.*;
import java.util.*;
import javax.crypto.*;
public class Tool {
  void seal() throws Exception {
          Properties settings = new Properties();
          Cipher cipher = Cipher.getInstance(settings.getProperty("cipher", "AES/CBC/PKCS5Padding"));
        }
}
