using System.Xml;

namespace Shop;

public class Orders
{
  public XmlReader Open(Stream upload)
  {
    var settings = new XmlReaderSettings { DtdProcessing = DtdProcessing.Prohibit };
    return XmlReader.Create(upload, settings);
  }
}
