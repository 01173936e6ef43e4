class ItemsController < ApplicationController
  def show
    @doc = Nokogiri::XML(params[:xml], nil, nil, Nokogiri::XML::ParseOptions::NOENT) # ← here
  end
end
