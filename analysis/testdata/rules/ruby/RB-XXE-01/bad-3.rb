class ItemsController < ApplicationController
  def show
    @doc = Nokogiri::XML::Document.parse(params[:xml], nil, nil, Nokogiri::XML::ParseOptions::DTDLOAD) # ← here
  end
end
