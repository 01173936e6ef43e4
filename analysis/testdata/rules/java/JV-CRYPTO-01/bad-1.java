
package shop;
import java.io.*;
import java.security.*;
import java.util.*;
import javax.crypto.*;
public class Tool {
  void seal() throws Exception { Cipher cipher = Cipher.getInstance("DES/CBC/PKCS5Padding"); } // ← here
}
