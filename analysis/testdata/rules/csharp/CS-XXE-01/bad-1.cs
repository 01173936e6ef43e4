using System.Xml;

namespace Shop;

public class Orders
{
  public XmlDocument Read(Stream upload)
  {
    var document = new XmlDocument();
    document.XmlResolver = new XmlUrlResolver(); // ← here
    document.Load(upload);
    return document;
  }
}
