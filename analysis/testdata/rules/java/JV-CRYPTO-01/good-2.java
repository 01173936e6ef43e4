
package shop;
import java.io.*;
import java.security.*;
import java.util.*;
import javax.crypto.*;
public class Tool {
  void seal() throws Exception { Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPWithSHA-256AndMGF1Padding"); }
}
